weir help check
