package tallystick.reach;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Why a server could not be talked to, in words fit for a reader. */
public final class ConnectionFault {
  private static final Pattern NAMES = Pattern.compile("subjectAltNames: \\[(.*)]");
  private static final int BAD_REQUEST = 400;
  private static final String NO_CONNECTION = "no connection: ";

  private ConnectionFault() {}

  /**
   * What a failure below HTTP means; empty for one that is HTTP's own.
   *
   * @param url where the request went
   */
  public static Optional<String> words(String url, IOException failure) {
    String message = failure.getMessage() == null ? "" : failure.getMessage();
    String cause = failure.getCause() == null ? message : "" + failure.getCause().getMessage();
    return switch (failure) {
      case UnknownHostException e -> Optional.of(NO_CONNECTION + "the host name is not known");
      case ConnectException e when cause.contains("refused") ->
          Optional.of(NO_CONNECTION + "refused");
      case ConnectException e -> Optional.of(NO_CONNECTION + cause);
      case NoRouteToHostException e -> Optional.of(NO_CONNECTION + message);
      case SSLPeerUnverifiedException e -> Optional.of(otherName(url, message));
      case SSLException e -> Optional.of(tls(url, e, message));
      case IOException e -> Optional.empty();
    };
  }

  /** Whether these words say that nothing took the connection: nobody may be up there. */
  public static boolean isOfConnecting(String words) {
    return words.startsWith(NO_CONNECTION);
  }

  /**
   * The words where a port was asked in plain HTTP, sent no head of an answer and speaks https or
   * HTTP/2 alone; asks it for that.
   */
  public static Optional<String> otherProtocol(String url, IOException failure) {
    String message = "" + failure.getMessage();
    boolean hadNoHead =
        message.startsWith("unexpected end of stream on")
            || message.startsWith("Unexpected status line")
            || (failure instanceof SocketException && !(failure instanceof ConnectException)
                && !(failure instanceof NoRouteToHostException));
    return hadNoHead ? httpsPort(url).or(() -> httpTwoPort(url)) : Optional.empty();
  }

  /** The same for an answer: servers of TLS say 400 to plain HTTP. */
  public static Optional<String> otherProtocol(String url, int status) {
    return status == BAD_REQUEST ? httpsPort(url) : Optional.empty();
  }

  /** A fault that the HTTP library throws as its own, where a server's answer is none. */
  public static IOException noHttp(RuntimeException fault) {
    String message = fault.getMessage() == null ? "no more is known" : fault.getMessage();
    return new IOException("the answer breaks HTTP/1.1 (" + message + ")", fault);
  }

  private static Optional<String> httpsPort(String url) {
    WebOrigin origin = WebOrigin.of(url);
    return origin.scheme().equals("http") && TlsPort.speaksTls(origin)
        ? Optional.of("the port speaks https, not http: write https:// in the URL")
        : Optional.empty();
  }

  private static Optional<String> httpTwoPort(String url) {
    WebOrigin origin = WebOrigin.of(url);
    return origin.scheme().equals("http") && HttpTwoPort.speaksHttpTwo(origin)
        ? Optional.of(
            "the port speaks HTTP/2 without TLS and no HTTP/1.1, which is what tally speaks: switch"
                + " HTTP/1.1 on in the server, or put a proxy before it that speaks it")
        : Optional.empty();
  }

  private static String tls(String url, SSLException failure, String message) {
    boolean isPlain =
        message.contains("Unsupported or unrecognized SSL message")
            || message.contains("plaintext connection");
    if (isPlain) {
      return "the port speaks plain http, not https: write http:// in the URL";
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateExpiredException) {
        return "its certificate has expired: renew it on the server";
      }
      if (cause instanceof CertificateNotYetValidException) {
        return "its certificate is not valid yet: look at the clocks of both machines";
      }
      if (cause instanceof CertPathBuilderException) {
        return "its certificate is not trusted here: name a PEM file of its authority with"
            + " request.ca_file or --ca-file";
      }
      if (cause instanceof SocketException) {
        return "the connection ended while TLS began: is https spoken on this port?";
      }
    }
    return "TLS fails (" + message + ")";
  }

  private static String otherName(String url, String message) {
    Matcher names = NAMES.matcher(message);
    String known = names.find() && !names.group(1).isEmpty() ? names.group(1) : "another name";
    return "its certificate is for " + known + ", not for " + WebOrigin.of(url).socketHost()
        + ": use a name in the URL that stands in it";
  }
}
