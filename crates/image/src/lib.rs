//! Reads an image's facts without running it.
