package tallystick.shards;

/** Records that are not the shards of one run, in words for the user. */
public final class ShardsException extends Exception {
  private static final long serialVersionUID = 1L;

  ShardsException(String message) {
    super(message);
  }
}
