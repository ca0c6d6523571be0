#pragma once

// Runs every session of an archive, which contains each session after its length (u32le).
void replay_archive(const char *name);
