package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A server's certificate for 127.0.0.1 that only those trust who are given its PEM file. */
public final class SelfSigned {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String ALIAS = "server";

  private final Path folder;
  private final KeyStore store;
  private final String authority;

  private SelfSigned(Path folder, KeyStore store, String authority) {
    this.folder = folder;
    this.store = store;
    this.authority = authority;
  }

  /** Makes one with the JDK's own tool, in a folder that may be thrown away. */
  public static SelfSigned in(Path folder) throws Exception {
    return of(folder, "ip:127.0.0.1");
  }

  /** One for another name, for example {@code dns:elsewhere.example}. */
  public static SelfSigned of(Path folder, String name) throws Exception {
    keytool(
        folder, "-genkeypair", "-alias", ALIAS, "-keyalg", "EC", "-dname", "CN=" + ALIAS,
        "-ext", "san=" + name, "-validity", "2");
    return new SelfSigned(folder, store(folder), ALIAS);
  }

  /** One of an authority of its own, which was good until five days ago. */
  public static SelfSigned expired(Path folder) throws Exception {
    keytool(
        folder, "-genkeypair", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=ca",
        "-ext", "bc=ca:true", "-validity", "20", "-startdate", "-10d");
    of(folder, "ip:127.0.0.1");
    String request = folder.resolve("request").toString();
    Path reply = folder.resolve("reply");
    Path authority = folder.resolve("authority");
    keytool(folder, "-certreq", "-alias", ALIAS, "-file", request);
    keytool(
        folder, "-gencert", "-alias", "ca", "-infile", request, "-outfile", reply.toString(),
        "-rfc", "-ext", "san=ip:127.0.0.1", "-startdate", "-9d", "-validity", "4");
    keytool(folder, "-exportcert", "-alias", "ca", "-rfc", "-file", authority.toString());
    Files.writeString(reply, Files.readString(reply) + Files.readString(authority));
    keytool(folder, "-importcert", "-alias", ALIAS, "-noprompt", "-file", reply.toString());
    return new SelfSigned(folder, store(folder), "ca");
  }

  private static void keytool(Path folder, String... words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(words));
    command.addAll(
        List.of(
            "-storetype", "PKCS12", "-storepass", new String(PASSWORD),
            "-keystore", folder.resolve("store.p12").toString()));
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(keytool.exitValue())
        .as(Files.readString(folder.resolve("keytool.log")))
        .isZero();
  }

  private static KeyStore store(Path folder) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream stream = Files.newInputStream(folder.resolve("store.p12"))) {
      store.load(stream, PASSWORD);
    }
    return store;
  }

  /** What a server shows it with. */
  public SSLContext context() throws Exception {
    KeyManagerFactory keys =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /** The file for those who shall trust it. */
  public Path pem() throws Exception {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.UTF_8))
            .encodeToString(store.getCertificate(authority).getEncoded());
    return Files.writeString(
        folder.resolve("ca.pem"),
        "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n");
  }
}
