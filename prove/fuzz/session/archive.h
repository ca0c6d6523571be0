#pragma once

// Runs every session of an archive, `length u32le, session` one behind the other.
void replay_archive(const char *name);
