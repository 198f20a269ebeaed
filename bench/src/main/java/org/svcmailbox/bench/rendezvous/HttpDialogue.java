package org.svcmailbox.bench.rendezvous;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** A sequence of HTTP/1.1 requests. */
final class HttpDialogue implements Dialogue {
  private static final String LENGTH = "\r\ncontent-length:";
  private static final String CHUNKED = "\r\ntransfer-encoding: chunked\r\n";
  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

  private final Calls calls;
  private HttpCall call;
  private String answer = "";
  private int number;

  interface Calls {
    /**
     * The next call.
     *
     * @param number counts from 0
     * @param answer answer to the previous call
     */
    HttpCall next(int number, String answer);
  }

  HttpDialogue(Calls calls) {
    this.calls = calls;
    this.call = calls.next(0, answer);
  }

  /** Repeats the same calls. */
  static HttpDialogue repeating(List<HttpCall> calls) {
    return new HttpDialogue((number, answer) -> calls.get(number % calls.size()));
  }

  @Override
  public String say() {
    call = calls.next(number++, answer);
    return call.request();
  }

  @Override
  public int end(String received) {
    return endOfAnswer(received);
  }

  /** Length of the first answer, 0 if it is incomplete. A chunked answer must be the only one. */
  static int endOfAnswer(String received) {
    int body = received.indexOf("\r\n\r\n") + 4;
    if (body < 4) {
      return 0;
    }
    String head = received.substring(0, body).toLowerCase(Locale.ROOT);
    if (head.contains(CHUNKED)) {
      return received.endsWith(LAST_CHUNK) ? received.length() : 0;
    }
    int at = head.indexOf(LENGTH);
    int length = 0;
    if (at >= 0) {
      int from = at + LENGTH.length();
      length = Integer.parseInt(head.substring(from, head.indexOf('\r', from)).strip());
    }
    return received.length() < body + length ? 0 : body + length;
  }

  @Override
  public Heard hear(String heard) throws IOException {
    if (!call.isAnsweredBy(heard)) {
      throw new IOException("expected " + call.status() + ", got " + heard);
    }
    answer = heard;
    return call.completes() ? Heard.MESSAGE : Heard.NEXT;
  }
}
