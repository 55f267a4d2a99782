here=$(dirname "$0")
. "$here/log.sh"
. "$here/net/fetch.sh"
