package org.svcmailbox.bench.rendezvous;

import java.io.IOException;
import java.util.HexFormat;
import org.svcmailbox.bench.http.LoadPayload;

/**
 * Adds messages to a mailbox of magic-wormhole, each once the previous one has come back: the
 * server sends a message to all sides, the sender included.
 */
final class WormholeDialogue implements Dialogue {
  private static final String UPGRADE =
      """
      GET /v1 HTTP/1.1\r
      Host: localhost\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
      Sec-WebSocket-Version: 13\r
      \r
      """;
  private static final String BODY = HexFormat.of().formatHex(LoadPayload.bytes());
  private static final int SHORT = 126;
  private static final char TEXT = 0x81;
  private static final int MASKED = 0x80;

  private final String mailbox;
  private int said;

  WormholeDialogue(String mailbox) {
    this.mailbox = mailbox;
  }

  @Override
  public String say() {
    int number = said++;
    if (number == 0) {
      return UPGRADE;
    }
    String add = frame("{\"type\":\"add\",\"phase\":\"" + number + "\",\"body\":\"" + BODY + "\"}");
    return number > 1
        ? add
        : frame("{\"type\":\"bind\",\"appid\":\"bench\",\"side\":\"" + mailbox + "\"}")
            + frame("{\"type\":\"open\",\"mailbox\":\"" + mailbox + "\"}")
            + add;
  }

  /** A text frame of less than 64 KiB; its zero mask leaves the text as it is. */
  static String frame(String text) {
    int length = text.length();
    String size =
        length < SHORT
            ? "" + (char) (MASKED | length)
            : "" + (char) (MASKED | SHORT) + (char) (length >> 8) + (char) (length & 0xff);
    return TEXT + size + "\0\0\0\0" + text;
  }

  @Override
  public int end(String received) {
    return said == 1 ? HttpDialogue.endOfAnswer(received) : endOfFrame(received);
  }

  /** Length of the first frame, which is less than 64 KiB; 0 if it is incomplete. */
  static int endOfFrame(String received) {
    if (received.length() < 2) {
      return 0;
    }
    int end = 2 + received.charAt(1);
    if (end == 2 + SHORT) {
      if (received.length() < 4) {
        return 0;
      }
      end = 4 + (received.charAt(2) << 8) + received.charAt(3);
    }
    return received.length() < end ? 0 : end;
  }

  @Override
  public Heard hear(String answer) throws IOException {
    if (answer.startsWith("HTTP/1.1 101 ")) {
      return Heard.NEXT;
    }
    if (answer.contains("\"type\": \"message\"")) {
      return Heard.MESSAGE;
    }
    if (answer.contains("\"type\": \"ack\"") || answer.contains("\"type\": \"welcome\"")) {
      return Heard.WAIT;
    }
    throw new IOException("unexpected answer: " + answer);
  }
}
