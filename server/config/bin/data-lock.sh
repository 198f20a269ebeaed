# Sourced by the scripts that run a server: one server at a time uses a data directory, and one user can read it.
#
#   lock_data DIR    takes the lock of a directory, or ends the script with code 75; closes the directory
#   close_data DIR   has other users of this machine read nothing in a directory, or ends the script
#
# Both set the umask, for all that the script and its server write.
#
# The lock is of an open file that the server's process inherits, so the system ends it with the last process
# that has it, however that ends. It is the same by each path that leads to the directory.

# A directory of somebody else cannot be closed, such as a volume of Kubernetes: then what is in it has to be.
close_data() {
  umask 077
  case $(find -H "$1" -prune -perm /077) in
    '') return ;;
  esac
  # A sticky one is shared, as /tmp is.
  if [ ! -k "$1" ] && chmod go= "$1" 2> /dev/null; then
    echo "${0##*/}: other users could enter $1; its mode is 0700 now" >&2
    return
  fi
  open=$(find -H "$1" -mindepth 1 -maxdepth 1 -perm /007 | head -n 1)
  [ -z "$open" ] || { echo "${0##*/}: every user can read $open: chmod -R o= $1" >&2; exit 1; }
}

lock_data() {
  umask 077
  lock=$1/server.lock
  # A script that was called by one that has the lock has it too.
  if [ /proc/self/fd/9 -ef "$lock" ]; then
    return
  fi
  command -v flock > /dev/null || { echo "${0##*/}: flock is not installed (util-linux)" >&2; exit 1; }
  (mkdir -p "$1" && exec 9<> "$lock") 2> /dev/null ||
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
  close_data "$1"
}
