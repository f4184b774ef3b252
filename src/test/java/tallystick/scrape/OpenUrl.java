package tallystick.scrape;

import java.net.URI;
import tallystick.reach.Redaction;

/** Metrics that are open to all. */
final class OpenUrl {
  private OpenUrl() {}

  static MetricsUrl of(String url) {
    return new MetricsUrl(URI.create(url), Credentials.none(), Redaction.NONE);
  }
}
