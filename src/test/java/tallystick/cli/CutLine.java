package tallystick.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A TCP proxy on loopback whose line can be cut: nothing passes, each way, and nobody is told, as
 * when a cable is pulled. What was under way arrives once it is mended.
 */
final class CutLine implements AutoCloseable {
  private static final int BUFFER = 16_384;

  private final ServerSocket door;
  private final InetSocketAddress target;
  private boolean isCut;

  private CutLine(ServerSocket door, InetSocketAddress target) {
    this.door = door;
    this.target = target;
  }

  /** A proxy before a port of loopback. */
  static CutLine before(int port) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    CutLine line =
        new CutLine(new ServerSocket(0, 512, loopback), new InetSocketAddress(loopback, port));
    Thread.ofPlatform().daemon().start(line::accept);
    return line;
  }

  String url() {
    return "http://127.0.0.1:" + door.getLocalPort();
  }

  synchronized void cut() {
    isCut = true;
  }

  synchronized void mend() {
    isCut = false;
    notifyAll();
  }

  @Override
  public void close() throws IOException {
    mend();
    door.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        Socket server = new Socket(target.getAddress(), target.getPort());
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Thread.ofPlatform().daemon().start(() -> carry(client, server));
        Thread.ofPlatform().daemon().start(() -> carry(server, client));
      }
    } catch (IOException closed) {
      // The door is shut: the test is over.
      return;
    }
  }

  private void carry(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER];
    try (to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int size = in.read(buffer); size > 0; size = in.read(buffer)) {
        awaitWhole();
        out.write(buffer, 0, size);
      }
      awaitWhole();
    } catch (IOException gone) {
      // One side has left; closing the other tells it.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void awaitWhole() throws InterruptedException {
    while (isCut) {
      wait();
    }
  }
}
