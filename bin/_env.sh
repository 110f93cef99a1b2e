# Shared by bin/ftsim, bin/test and bin/check: builds .venv from requirements.lock when it is stale.
# Expects $root (this checkout) and $want: "run" (what users need) or "dev" (plus tests and linters).
set -eu

find_python() {
  for candidate in ${PYTHON:-} python3.11 python3 python3.12 python3.13 python3.14; do
    if command -v "$candidate" >/dev/null 2>&1 &&
       "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      echo "$candidate"; return
    fi
  done
  echo "ftsim needs Python 3.11 or newer; set PYTHON to one." >&2
  exit 3
}

apt_install() {  # install Debian packages, or say which ones are missing
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
  else
    echo "please install: $*" >&2
    return 1
  fi
}

take_lock() {  # one set-up at a time; a lock whose owner has died is taken over
  waited=0
  while ! mkdir "$root/.venv.lock" 2>/dev/null; do
    owner=$(cat "$root/.venv.lock/pid" 2>/dev/null || :)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      rm -rf "$root/.venv.lock"; continue
    fi
    waited=$((waited + 1))
    if [ "$waited" -ge 900 ]; then
      echo "another set-up holds .venv.lock; remove that folder if none is running" >&2
      exit 3
    fi
    sleep 1
  done
  echo $$ >"$root/.venv.lock/pid"
  trap 'rm -rf "$root/.venv.lock"' EXIT
  trap 'exit 130' INT TERM
}

fresh() { [ "$(cat "$root/.venv/.stamp-$1" 2>/dev/null || :)" = "$stamp" ]; }

set_up() {
  stamp=$(cat "$root/requirements.lock" "$root/pyproject.toml" "$root/bin/_env.sh" | cksum)
  fresh "$want" && return
  take_lock
  if fresh "$want"; then rm -rf "$root/.venv.lock"; trap - EXIT; return; fi
  python=$(find_python)
  "$python" -c 'import venv, ensurepip' 2>/dev/null || apt_install python3-venv || exit 3
  echo "ftsim: setting up .venv (about half a minute, once)" >&2
  rm -f "$root"/.venv/.stamp-*
  "$python" -m venv "$root/.venv" || { echo "cannot make .venv with $python" >&2; exit 3; }
  env="$root/.venv/bin"
  "$env/python" -m pip install -q --disable-pip-version-check "uv==0.13.*" || exit 3
  export UV_COMPILE_BYTECODE=1 UV_PYTHON_DOWNLOADS=never VIRTUAL_ENV="$root/.venv"
  if [ "$want" = dev ]; then
    "$env/uv" pip install -q --require-hashes -r "$root/requirements.lock" || exit 3
  else  # the lock is a constraint here, and every hash in it is checked
    "$env/uv" pip install -q --verify-hashes -r "$root/pyproject.toml" -c "$root/requirements.lock" || exit 3
  fi
  "$env/uv" pip install -q --no-deps -e "$root" || exit 3
  echo "$stamp" >"$root/.venv/.stamp-run"
  if [ "$want" = dev ]; then echo "$stamp" >"$root/.venv/.stamp-dev"; fi
  rm -rf "$root/.venv.lock"; trap - EXIT INT TERM
}
