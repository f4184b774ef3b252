package tallystick.analysis.client;

import tallystick.runrecord.RequestRow;

/** From when a wait counts. */
enum WaitStart {
  INTENDED,
  ACTUAL,
  /** The intended start without {@link DispatchLateness the client's own delay}. */
  SENT;

  long nanos(RequestRow row) {
    return switch (this) {
      case INTENDED -> row.times().intended();
      case ACTUAL -> row.times().started();
      case SENT -> row.times().intended() + DispatchLateness.ofClient(row);
    };
  }
}
