#pragma once

// Runs every session of an archive, a sequence of `length u32le, session`.
void replay_archive(const char *name);
