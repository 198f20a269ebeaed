package org.svcmailbox.test.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A shift of the server's ports at which nobody listens. */
public final class PortOffset {
  /** The server's public port when nothing is shifted, and the one with TLS. */
  public static final int HTTP = 8080;

  public static final int HTTPS = 8443;

  /** Its administrator's. */
  public static final int MANAGEMENT = 9990;

  private static final int TRIES = 100;

  /** Never repeats: the caller may not listen yet, or may restart on the same ports. */
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(4_000, 19_000));

  private PortOffset() {}

  /** A fresh one, below the ports that the system hands out to clients. */
  public static int free() {
    return free(1);
  }

  /** One port at which nobody listens. */
  public static int freePort() {
    return freePorts(1);
  }

  /** The first of {@code count} ports in a row at which nobody listens. */
  public static int freePorts(int count) {
    return HTTP + free(count);
  }

  /** Whether a process listens, also one that is stopped, without a connection to it. */
  public static boolean isListening(int port) {
    String entry = String.format(":%04X ", port);
    try (Stream<String> four = Files.lines(Path.of("/proc/net/tcp"));
        Stream<String> six = Files.lines(Path.of("/proc/net/tcp6"))) {
      return Stream.concat(four, six)
          .filter(line -> line.contains(entry))
          .map(line -> line.strip().split("\\s+", -1))
          .anyMatch(words -> (words[1] + " ").endsWith(entry) && words[3].equals("0A"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int free(int count) {
    for (int i = 0; i < TRIES; i++) {
      int first = NEXT.getAndAdd(count);
      if (IntStream.range(first, first + count).allMatch(PortOffset::isFreeShift)) {
        return first;
      }
    }
    throw new IllegalStateException("no free ports in " + TRIES + " tries");
  }

  private static boolean isFreeShift(int offset) {
    return isFree(HTTP + offset) && isFree(HTTPS + offset) && isFree(MANAGEMENT + offset);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
