(() => {
  // The line to the bot is down. Where it is so because the session ended meanwhile, no waiting brings it back:
  // the door says so. A bot that is only starting anew gives no answer here, or another one.
  const ask = () => fetch(location.pathname, {method: 'HEAD', redirect: 'manual', cache: 'no-store'})
    .then(answer => { if (answer.status === 401) location.href = location.pathname + '?over=1'; }, () => {});
  const join = () => window.socket ? window.socket.on('connect_error', ask) : setTimeout(join, 500);
  join();
})();
