package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A child process that listens on one port of loopback. */
public final class Listener implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Process process;
  private final int port;

  private Listener(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a process and returns once the port accepts connections.
   *
   * @throws IllegalStateException if it does not within a minute
   */
  public static Listener start(ProcessBuilder builder, int port, Path output) throws IOException {
    Listener listener = new Listener(ChildProcesses.start(builder, output), port);
    long end = System.nanoTime() + START.toNanos();
    while (!listener.listens()) {
      if (!listener.process.isAlive() || System.nanoTime() - end >= 0) {
        listener.close();
        throw new IllegalStateException("no listener on port " + port + ": see " + output);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return listener;
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  public ProcessUsage processes() {
    return new ProcessUsage(process.toHandle());
  }

  @Override
  public void close() {
    ChildProcesses.kill(process);
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException e) {
      // Not listening yet.
      return false;
    }
  }
}
