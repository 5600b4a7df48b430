#!/bin/sh
# libvterm-next.sh DIR: the libvterm of the next Debian release, unpacked below DIR; nothing is
# installed. Afterwards PKG_CONFIG_PATH=DIR/pkgconfig finds it, and programs linked with it find it
# by their run path. Exit status 1, with a reason, when it is not to be had.
set -eu
dir=$1
suite=trixie
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

give_up() {
	echo "libvterm-next: $*" >&2
	exit 1
}

if [ -f "$dir/pkgconfig/vterm.pc" ]; then
	exit 0
fi
for tool in apt-get dpkg-deb; do
	command -v $tool >/dev/null || give_up "this is not a Debian system: no $tool"
done

# The mirror that this machine uses already.
# shellcheck disable=SC2016  # a format of apt's
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
	grep -v security | head -n 1)
[ -n "$mirror" ] || give_up "apt knows no mirror"
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/root"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$dir/apt/sources.list"

apt_next() {
	apt-get -q -o "Dir::Etc::sourcelist=$dir/apt/sources.list" -o Dir::Etc::sourceparts=- \
		-o "Dir::State::lists=$dir/apt/lists" -o "Dir::Cache=$dir/apt/cache" -o APT::Sandbox::User= \
		-o Acquire::Languages=none "$@"
}

apt_next update >"$dir/apt/log" 2>&1 || give_up "apt cannot read the suite $suite of $mirror: $(tail -n 1 "$dir/apt/log")"
(cd "$dir/apt" && apt_next download libvterm0 libvterm-dev >>log 2>&1) ||
	give_up "apt cannot download libvterm: $(tail -n 1 "$dir/apt/log")"
for package in "$dir"/apt/*.deb; do
	dpkg-deb -x "$package" "$dir/root"
done

library=$(dirname "$(find "$dir/root" -name libvterm.so.0 | head -n 1)")
[ "$library" != . ] || give_up "the packages hold no libvterm.so.0"
mkdir -p "$dir/pkgconfig"
sed -e "s|^prefix=.*|prefix=$dir/root/usr|" -e "s|^libdir=.*|libdir=$library|" \
	-e "s|^includedir=.*|includedir=$dir/root/usr/include|" \
	-e "s|^Libs:|Libs: -Wl,-rpath,$library|" "$library/pkgconfig/vterm.pc" >"$dir/pkgconfig/vterm.pc"
