weir help > /dev/full
