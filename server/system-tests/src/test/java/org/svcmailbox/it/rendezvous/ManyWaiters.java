package org.svcmailbox.it.rendezvous;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.svcmailbox.test.concurrent.Deadline;

/** Many GETs that wait, each on a connection of its own, and all of them on one thread. */
final class ManyWaiters implements AutoCloseable {
  private final Selector selector;
  private final List<SocketChannel> connections = new ArrayList<>();
  private int answered;

  /**
   * Connects and asks.
   *
   * @param request of each, by its number
   */
  ManyWaiters(InetSocketAddress door, int count, IntFunction<String> request) throws IOException {
    selector = Selector.open();
    for (int i = 0; i < count; i++) {
      SocketChannel connection = SocketChannel.open(door);
      connections.add(connection);
      ByteBuffer bytes = ByteBuffer.wrap(request.apply(i).getBytes(ISO_8859_1));
      while (bytes.hasRemaining()) {
        connection.write(bytes);
      }
      connection.configureBlocking(false);
      connection.register(selector, SelectionKey.OP_READ);
    }
  }

  /** Returns when so many in all have a {@code 200}; fails at any other answer. */
  void awaitAnswers(int wanted, Duration allowed) throws IOException {
    Deadline deadline = Deadline.in(allowed);
    while (answered < wanted) {
      if (deadline.isOver()) {
        throw new AssertionError(answered + " of " + wanted + " answers");
      }
      selector.select(100);
      for (SelectionKey key : selector.selectedKeys()) {
        answered(key);
      }
      selector.selectedKeys().clear();
    }
  }

  /** An answer is so short that it comes whole. */
  private void answered(SelectionKey key) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(4_096);
    int count = ((SocketChannel) key.channel()).read(buffer);
    String text = new String(buffer.array(), 0, Math.max(count, 0), ISO_8859_1);
    if (!text.startsWith("HTTP/1.1 200 ")) {
      throw new AssertionError(count < 0 ? "closed by the server" : text);
    }
    answered++;
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel connection : connections) {
      connection.close();
    }
    selector.close();
  }
}
