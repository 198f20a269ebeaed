package org.svcmailbox.bench.rendezvous;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.bench.rendezvous.Dialogue.Heard;

/**
 * Runs dialogues on one thread, each over a connection of its own. All servers get this client, so
 * its cost is the same for all.
 */
final class DialogueLoop implements Closeable {
  private static final int LARGEST_ANSWER = 1 << 16;
  private static final long SELECT_MILLIS = 20;

  private final Selector selector;
  private final List<Line> lines = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(LARGEST_ANSWER);
  private long messages;

  /** Opens all connections and sends the first request of each. */
  DialogueLoop(URI server, List<? extends Dialogue> dialogues) throws IOException {
    selector = Selector.open();
    InetSocketAddress address = new InetSocketAddress(server.getHost(), server.getPort());
    try {
      for (Dialogue dialogue : dialogues) {
        Line line = new Line(SocketChannel.open(address), dialogue);
        lines.add(line);
        line.begin();
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Runs the dialogues for this time and returns the number of messages posted and got. */
  long run(Duration lasting) throws IOException {
    long before = messages;
    long end = System.nanoTime() + lasting.toNanos();
    try {
      while (System.nanoTime() - end < 0) {
        selector.select(DialogueLoop::ready, SELECT_MILLIS);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return messages - before;
  }

  /** Opens new connections and returns messages a second. */
  static double perSecond(URI server, List<? extends Dialogue> dialogues, Duration lasting)
      throws IOException {
    try (DialogueLoop loop = new DialogueLoop(server, dialogues)) {
      return loop.run(lasting) * 1e9 / lasting.toNanos();
    }
  }

  private static void ready(SelectionKey key) {
    try {
      ((Line) key.attachment()).read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (Line line : lines) {
      line.channel.close();
    }
    selector.close();
  }

  /** One connection. */
  private final class Line {
    private final SocketChannel channel;
    private final Dialogue dialogue;
    private String received = "";

    Line(SocketChannel channel, Dialogue dialogue) {
      this.channel = channel;
      this.dialogue = dialogue;
    }

    void begin() throws IOException {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, this);
      say();
    }

    /** Sends the next request. The previous one is answered, so the socket has room. */
    private void say() throws IOException {
      ByteBuffer request = ByteBuffer.wrap(dialogue.say().getBytes(StandardCharsets.ISO_8859_1));
      while (request.hasRemaining()) {
        channel.write(request);
      }
    }

    void read() throws IOException {
      int count = channel.read(buffer.clear());
      if (count < 0) {
        throw new EOFException("closed by the server");
      }
      received += new String(buffer.array(), 0, count, StandardCharsets.ISO_8859_1);
      for (int end = dialogue.end(received); end > 0; end = dialogue.end(received)) {
        String answer = received.substring(0, end);
        received = received.substring(end);
        answered(dialogue.hear(answer));
      }
    }

    private void answered(Heard heard) throws IOException {
      if (heard == Heard.MESSAGE) {
        messages++;
      }
      if (heard != Heard.WAIT) {
        say();
      }
    }
  }
}
