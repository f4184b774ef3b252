package tallystick.experiment.warmup;

import tallystick.experiment.JournalEntry;

/**
 * What a finished run showed; one line of the journal.
 *
 * @param requests that it sent to a fresh engine
 * @param ttftSeconds of the last of them
 * @param doubt why its figure may not be used; empty where it may
 */
record WarmupRun(int requests, double elapsedSeconds, double ttftSeconds, String doubt)
    implements JournalEntry {}
