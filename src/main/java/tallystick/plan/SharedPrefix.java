package tallystick.plan;

/**
 * A run of prompt tokens that other requests with the same id begin with too.
 *
 * @param id which prefix: equal ids give equal tokens
 * @param tokens its length in tokens
 */
public record SharedPrefix(long id, int tokens) {}
