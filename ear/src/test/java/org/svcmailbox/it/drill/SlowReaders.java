package org.svcmailbox.it.drill;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.client.CallTarget;

/**
 * Connections that ask for large answers and read each at 70 KiB/s. Even ones receive, odd ones
 * peek; each asks again when its answer is over, and connects again when it is cut. One thread
 * serves them all.
 */
final class SlowReaders implements AutoCloseable {
  private static final int TICK_MILLIS = 100;
  private static final int BYTES_A_TICK = 70 * 1024 / (1000 / TICK_MILLIS);

  /** Of silence, after which an answer is over. */
  private static final int IDLE_TICKS = 10;

  private final InetSocketAddress address;
  private final List<Reader> readers = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "slow-readers");
  private volatile boolean isOver;
  private final LongAdder read = new LongAdder();
  private final LongAdder connected = new LongAdder();

  SlowReaders(CallTarget target, String topic, int count) {
    this.address = new InetSocketAddress(target.server().getHost(), target.server().getPort());
    byte[] recv =
        (target.head("POST", "/v1/recv").replace("application/json", "application/octet-stream")
                + "Mailbox-Topic: "
                + topic
                + "\r\nMailbox-Visibility-Ms: 600000\r\nContent-Length: 0\r\n\r\n")
            .getBytes(ISO_8859_1);
    byte[] peek =
        (target.head("GET", "/v1/topics/" + topic + "/peek?limit=1") + "\r\n").getBytes(ISO_8859_1);
    for (int i = 0; i < count; i++) {
      readers.add(new Reader(i % 2 == 0 ? recv : peek));
    }
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES_A_TICK);
    long next = System.nanoTime();
    while (!isOver) {
      for (Reader reader : readers) {
        reader.tick(buffer);
      }
      next += TICK_MILLIS * 1_000_000L;
      LockSupport.parkNanos(next - System.nanoTime());
    }
    readers.forEach(Reader::close);
  }

  boolean isRunning() {
    return thread.isAlive();
  }

  @Override
  public void close() {
    isOver = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "%d readers, %d connections, %d bytes"
        .formatted(readers.size(), connected.sum(), read.sum());
  }

  private final class Reader {
    private final byte[] request;
    private @Nullable SocketChannel channel;
    private int idle;

    Reader(byte[] request) {
      this.request = request;
    }

    void tick(ByteBuffer buffer) {
      try {
        SocketChannel open = channel;
        if (open == null) {
          open = connect();
        }
        take(open, buffer);
      } catch (IOException e) {
        close();
      }
    }

    private SocketChannel connect() throws IOException {
      SocketChannel opened = SocketChannel.open();
      channel = opened;
      opened.setOption(StandardSocketOptions.SO_RCVBUF, 16 << 10);
      opened.connect(address);
      opened.configureBlocking(false);
      connected.increment();
      ask(opened);
      return opened;
    }

    private void ask(SocketChannel to) throws IOException {
      idle = 0;
      ByteBuffer bytes = ByteBuffer.wrap(request);
      while (bytes.hasRemaining()) {
        int unused = to.write(bytes);
      }
    }

    private void take(SocketChannel from, ByteBuffer buffer) throws IOException {
      buffer.clear();
      int count = from.read(buffer);
      if (count < 0) {
        close();
      } else if (count > 0) {
        read.add(count);
        idle = 0;
      } else if (++idle == IDLE_TICKS) {
        ask(from);
      }
    }

    void close() {
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
