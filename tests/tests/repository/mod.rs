//! Checks of the repository itself: its sources, its pages and its packages.

mod attributes;
mod layers;
mod lines;
mod modules;
mod packages;
mod pages;
mod public_names;
mod stages;
mod words;
