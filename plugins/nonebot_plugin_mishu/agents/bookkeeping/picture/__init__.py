"""Chart of a month: pie and bars, drawn by Pillow."""
