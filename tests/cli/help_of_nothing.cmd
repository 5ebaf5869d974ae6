weir help chekc
