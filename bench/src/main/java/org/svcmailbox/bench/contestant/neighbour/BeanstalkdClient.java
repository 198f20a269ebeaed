package org.svcmailbox.bench.contestant.neighbour;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.load.QueueClient;

/**
 * A connection to beanstalkd. It is ours, because a batch is a pipeline of commands, of which the
 * server has none that takes several messages.
 */
final class BeanstalkdClient implements QueueClient {
  private static final String PUT = "put 0 0 30 " + LoadPayload.BYTES + "\r\n";
  private static final String RESERVE = "reserve-with-timeout 0\r\n";
  private static final String EMPTY = "TIMED_OUT";
  private static final int MOST_CHARACTERS = 256;

  private final byte[] payload = LoadPayload.bytes();
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  BeanstalkdClient(String host, int port, String tube) throws IOException {
    socket = new Socket(host, port);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    out = new BufferedOutputStream(socket.getOutputStream(), 2 * LoadPayload.BYTES);
    write("use " + tube + "\r\nwatch " + tube + "\r\nignore default\r\n");
    out.flush();
    words(line(), "USING", 2);
    words(line(), "WATCHING", 2);
    words(line(), "WATCHING", 2);
  }

  @Override
  public void send(int messages) throws IOException {
    for (int i = 0; i < messages; i++) {
      write(PUT);
      out.write(payload);
      write("\r\n");
    }
    out.flush();
    for (int i = 0; i < messages; i++) {
      words(line(), "INSERTED", 2);
    }
  }

  @Override
  public int receive(int most) throws IOException {
    write(RESERVE.repeat(most));
    out.flush();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      String answer = line();
      if (!answer.equals(EMPTY)) {
        List<String> words = words(answer, "RESERVED", 3);
        in.skipNBytes(Long.parseLong(words.get(2)) + 2);
        ids.add(words.get(1));
      }
    }
    for (String id : ids) {
      write("delete " + id + "\r\n");
    }
    out.flush();
    for (String unused : ids) {
      words(line(), "DELETED", 1);
    }
    return ids.size();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /**
   * The words of an answer.
   *
   * @throws IOException unless it begins with {@code wanted} and has {@code count} words
   */
  static List<String> words(String answer, String wanted, int count) throws IOException {
    List<String> words = List.of(answer.split(" ", -1));
    if (words.size() != count || !words.get(0).equals(wanted)) {
      throw new IOException("beanstalkd answered " + answer + " instead of " + wanted);
    }
    return words;
  }

  /**
   * Reads a line without its end.
   *
   * @throws IOException if the stream ends or the line is longer than any answer
   */
  static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\r'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("beanstalkd closed the connection");
      }
      if (line.size() == MOST_CHARACTERS) {
        throw new IOException("beanstalkd answered no line");
      }
      line.write(next);
    }
    in.skipNBytes(1);
    return line.toString(StandardCharsets.US_ASCII);
  }

  private String line() throws IOException {
    return line(in);
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
  }
}
