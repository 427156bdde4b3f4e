"""What a crash leaves behind: killed processes, cancelled tasks, database operations that fail.

`test_kills` kills the whole bot with SIGKILL at random points of a numbered load and starts it again on the
same data. It does so a few times; `MISHU_TEST_KILLS=50` says how often, `MISHU_TEST_SEED` from which seed.
`test_cancelled` and `test_database_faults` run the front desk in process and fail it at the N-th await and
at the N-th database operation, for N = 1, 2, 3, … until nothing fails any more.
"""
