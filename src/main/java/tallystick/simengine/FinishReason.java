package tallystick.simengine;

import java.util.Locale;

/** Why a request ended; the values of the {@code finished_reason} label. */
enum FinishReason {
  STOP,
  LENGTH,
  ABORT,
  ERROR,
  REPETITION;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
