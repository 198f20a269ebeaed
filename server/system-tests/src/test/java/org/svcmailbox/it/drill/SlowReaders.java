package org.svcmailbox.it.drill;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.client.CallTarget;

/**
 * Connections that ask for large answers and read each at 70 KiB/s. Even ones receive: each hangs
 * up while the server still has some of its answer, so that the message returns unspent, and asks
 * again. Odd ones peek, and ask again when the answer is over. One that is cut waits before it
 * connects again. One thread serves them all, in a process of low priority: the server under test
 * has the processors first.
 */
final class SlowReaders implements AutoCloseable {
  private static final int TICK_MILLIS = 100;
  private static final int BYTES_A_TICK = 70 * 1024 / (1000 / TICK_MILLIS);

  /** Of silence, after which an answer is over. */
  private static final int IDLE_TICKS = 10;

  /** Before a reader that was cut comes back. */
  private static final int AWAY_TICKS = 100;

  /** Of an answer, before a receiver hangs up: the system must not hold all the rest. */
  private static final int LEAST_READ = 200_000;

  private static final int MOST_READ = 400_000;
  private static final long END_SECONDS = 30;

  private final Process process;

  SlowReaders(CallTarget target, String topic, int count) throws IOException {
    this.process =
        new ProcessBuilder(
                "nice",
                "-n",
                "19",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                SlowReaders.class.getName(),
                target.server().toString(),
                Objects.requireNonNull(target.token().get()),
                topic,
                Integer.toString(count))
            .inheritIO()
            .start();
  }

  boolean isRunning() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the readers do not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The readers' process: server, capability, topic, number of readers. */
  public static void main(String[] arguments) {
    CallTarget target = new CallTarget(URI.create(arguments[0]), arguments[1]);
    run(readers(target, arguments[2], Integer.parseInt(arguments[3])));
  }

  private static List<Reader> readers(CallTarget target, String topic, int count) {
    InetSocketAddress address =
        new InetSocketAddress(target.server().getHost(), target.server().getPort());
    byte[] recv =
        (target.head("POST", "/v1/recv").replace("application/json", "application/octet-stream")
                + "Mailbox-Topic: "
                + topic
                + "\r\nMailbox-Visibility-Ms: 600000\r\nContent-Length: 0\r\n\r\n")
            .getBytes(ISO_8859_1);
    byte[] peek =
        (target.head("GET", "/v1/topics/" + topic + "/peek?limit=1") + "\r\n").getBytes(ISO_8859_1);
    List<Reader> readers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int most = LEAST_READ + i * (MOST_READ - LEAST_READ) / count;
      readers.add(
          i % 2 == 0
              ? new Reader(address, recv, most)
              : new Reader(address, peek, Integer.MAX_VALUE));
    }
    return readers;
  }

  private static void run(List<Reader> readers) {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES_A_TICK);
    long next = System.nanoTime();
    while (true) {
      for (Reader reader : readers) {
        reader.tick(buffer);
      }
      next += TICK_MILLIS * 1_000_000L;
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }

  private static final class Reader {
    private final InetSocketAddress address;
    private final byte[] request;
    private final int most;
    private @Nullable SocketChannel channel;
    private int read;
    private int idle;
    private int away;

    Reader(InetSocketAddress address, byte[] request, int most) {
      this.address = address;
      this.request = request;
      this.most = most;
    }

    void tick(ByteBuffer buffer) {
      if (away > 0) {
        away--;
        return;
      }
      try {
        SocketChannel open = channel;
        if (open == null) {
          open = connect();
        }
        take(open, buffer);
      } catch (IOException e) {
        cut();
      }
    }

    private SocketChannel connect() throws IOException {
      SocketChannel opened = SocketChannel.open();
      channel = opened;
      opened.setOption(StandardSocketOptions.SO_RCVBUF, 16 << 10);
      opened.connect(address);
      opened.configureBlocking(false);
      ask(opened);
      return opened;
    }

    private void ask(SocketChannel to) throws IOException {
      idle = 0;
      read = 0;
      ByteBuffer bytes = ByteBuffer.wrap(request);
      while (bytes.hasRemaining()) {
        int unused = to.write(bytes);
      }
    }

    private void take(SocketChannel from, ByteBuffer buffer) throws IOException {
      buffer.clear();
      int count = from.read(buffer);
      if (count < 0) {
        cut();
      } else if (count > 0) {
        idle = 0;
        read += count;
        if (read > most) {
          close();
        }
      } else if (++idle == IDLE_TICKS) {
        ask(from);
      }
    }

    private void cut() {
      away = AWAY_TICKS;
      close();
    }

    private void close() {
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      channel = null;
    }
  }
}
