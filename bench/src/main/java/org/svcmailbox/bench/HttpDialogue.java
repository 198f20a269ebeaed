package org.svcmailbox.bench;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** A dialogue of one HTTP/1.1 request after the other. */
final class HttpDialogue implements Dialogue {
  private static final String LENGTH = "\r\ncontent-length:";
  private static final String CHUNKED = "\r\ntransfer-encoding: chunked\r\n";
  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

  private final Calls calls;
  private HttpCall call;
  private String answer = "";
  private int number;

  /** The calls of one connection. */
  interface Calls {
    /**
     * The next call.
     *
     * @param number of the call, from 0
     * @param answer the one to the call before
     */
    HttpCall next(int number, String answer);
  }

  HttpDialogue(Calls calls) {
    this.calls = calls;
    this.call = calls.next(0, answer);
  }

  /** The same calls over and over. */
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

  /** The end of an answer; one in chunks is the only one in {@code received}. */
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
      throw new IOException("wanted " + call.status() + ", but the answer was " + heard);
    }
    answer = heard;
    return call.completes() ? Heard.MESSAGE : Heard.NEXT;
  }
}
