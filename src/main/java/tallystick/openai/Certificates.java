package tallystick.openai;

import javax.net.ssl.X509TrustManager;
import tallystick.reach.TrustedAuthorities;

/** Trust in a private authority's certificates, over sockets that are counted. */
final class Certificates {
  private Certificates() {}

  /** TLS that trusts some authorities. */
  record Trust(CountedTls tls, X509TrustManager authorities) {}

  /**
   * Trust in the usual authorities and in those of a PEM file; an empty name adds none.
   *
   * @throws IllegalArgumentException if the file holds no certificates
   */
  static Trust trust(String pemFile) {
    TrustedAuthorities trusted = TrustedAuthorities.with(pemFile);
    return new Trust(new CountedTls(trusted.tls()), trusted.manager());
  }
}
