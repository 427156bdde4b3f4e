"""Orders, questions and corrections of the books. Pure."""
