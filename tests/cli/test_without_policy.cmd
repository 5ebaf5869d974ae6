weir test failing.scn
