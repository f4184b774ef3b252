package tallystick.experiment;

import java.util.List;

/** What a finished run leaves in a journal, as one line. */
public interface JournalEntry {

  /** How long the run took on its bench's own clock, waiting for a quiet engine included. */
  double elapsedSeconds();

  /** How long these runs took together. */
  static double elapsedSeconds(List<? extends JournalEntry> done) {
    return done.stream().mapToDouble(JournalEntry::elapsedSeconds).sum();
  }
}
