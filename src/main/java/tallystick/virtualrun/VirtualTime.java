package tallystick.virtualrun;

/** How far a simulation has got, for the threads that write its record. */
final class VirtualTime {
  private volatile long nanos;

  long nanos() {
    return nanos;
  }

  void advanceTo(long now) {
    nanos = now;
  }
}
