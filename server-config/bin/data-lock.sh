# Sourced by the scripts that run a server: one server at a time uses a data directory.
#
#   lock_data DIR   takes the lock of a directory, or ends the script with code 75
#
# The lock is of an open file that the server's process inherits, so the system ends it with the last process
# that has it, however that ends. It is the same by each path that leads to the directory.

lock_data() {
  lock=$1/server.lock
  # A script that was called by one that has the lock has it too.
  if [ /proc/self/fd/9 -ef "$lock" ]; then
    return
  fi
  command -v flock > /dev/null || { echo "${0##*/}: flock is not installed (util-linux)" >&2; exit 1; }
  (mkdir -p "$1" && umask 077 && exec 9<> "$lock") 2> /dev/null ||
    { echo "${0##*/}: the data directory $1 cannot be written" >&2; exit 1; }
  exec 9<> "$lock"
  # A server that was killed takes a moment to be gone.
  tries=0
  until flock -n 9; do
    [ $? -eq 1 ] || { echo "${0##*/}: the file system of $1 cannot lock $lock" >&2; exit 1; }
    tries=$((tries + 1))
    [ $tries -le 5 ] ||
      { echo "${0##*/}: another server uses the data directory $1; fuser -v $lock names it" >&2; exit 75; }
    sleep 1
  done
}
