// The first real source of this folder replaces this file.
