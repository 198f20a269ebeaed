package org.svcmailbox.undertow.framing;

import io.undertow.util.HeaderMap;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Follows the requests of one HTTP/1.1 connection byte by byte. It accepts only the strict grammar
 * of RFC 9112. So no line is folded or ends with a bare line feed, and at most one header defines a
 * body's length.
 */
final class Framing {
  /** The longest method or value that is kept; longer ones are irrelevant here. */
  private static final int KEPT = 64;

  /** The most bytes of a head from its first to its last byte, in either protocol. */
  static final int MOST_HEAD = 64 << 10;

  /** The most fields of a head. */
  static final int MOST_FIELDS = 200;

  /** Few enough names to fit into one row of Undertow's table. */
  private static final int NAMES_OF_A_ROW = 16;

  private static final Pattern HOST =
      Pattern.compile(
          "(?:\\[[0-9A-Za-z:.]+]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)"
              + "(?::0*[1-9][0-9]{0,4})?");

  private static final int MOST_EXTENSION = 1024;
  private static final int MOST_TRAILERS = 8 << 10;
  private static final int MOST_LENGTH_DIGITS = 18;
  private static final int MOST_CHUNK_DIGITS = 8;
  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

  /** The result of checking some bytes. */
  enum Verdict {
    /** Nothing is wrong so far. */
    GOOD,
    /** The head of a request is malformed or ambiguous. */
    BAD_HEAD,
    /** The target is malformed, or has too many parameters. */
    BAD_TARGET,
    /** The head has too many bytes or fields. */
    LARGE_HEAD,
    /** The head names a transfer coding other than chunked. */
    UNKNOWN_CODING,
    /** The chunks of a body are malformed. */
    BAD_BODY,
    /** The connection begins with the HTTP/2 preface. */
    HTTP2
  }

  private enum State {
    METHOD,
    TARGET,
    VERSION,
    VERSION_END,
    LINE_START,
    NAME,
    VALUE,
    VALUE_END,
    HEAD_END,
    BODY,
    CHUNK_START,
    CHUNK_SIZE,
    CHUNK_EXTENSION,
    CHUNK_SIZE_END,
    CHUNK,
    CHUNK_CR,
    CHUNK_END
  }

  private final StringBuilder text = new StringBuilder();
  private final TargetForm target = new TargetForm();
  private final List<String> names = new ArrayList<>();
  private State state = State.METHOD;
  private boolean isTrailer;
  private boolean isFirst = true;
  private boolean isHttp2;
  private boolean isOldVersion;
  private String name = "";
  private String host = "";
  private int hosts;
  private int authorizations;
  private String coding = "";
  private int codings;
  private long length;
  private int lengths;
  private long left;
  private int size;
  private int headSize;
  private int requestStart;
  private int wrongAt;

  /**
   * Checks the bytes from {@code from} to {@code to}.
   *
   * @return the first fault; after one, nothing may be checked any more
   */
  Verdict look(ByteBuffer buffer, int from, int to) {
    requestStart = state == State.METHOD && text.isEmpty() ? from : -1;
    for (int at = from; at < to; ) {
      if (state == State.BODY || state == State.CHUNK) {
        int taken = (int) Math.min(left, to - at);
        at += taken;
        left -= taken;
        if (left == 0 && state == State.BODY) {
          begin(at);
        } else if (left == 0) {
          state = State.CHUNK_CR;
        }
      } else {
        Verdict verdict = isHeadFull() ? Verdict.LARGE_HEAD : next(buffer.get(at) & 0xff, at + 1);
        if (verdict != Verdict.GOOD) {
          wrongAt = at;
          return verdict;
        }
        at++;
      }
    }
    return Verdict.GOOD;
  }

  /** Where the current request began in the bytes checked last; negative if before them. */
  int requestStart() {
    return requestStart;
  }

  /** The position of the byte that was found wrong. */
  int wrongAt() {
    return wrongAt;
  }

  private boolean isHeadFull() {
    return state.compareTo(State.HEAD_END) <= 0 && !isTrailer && ++headSize > MOST_HEAD;
  }

  private void begin(int at) {
    requestStart = at;
    state = State.METHOD;
    isFirst = false;
    headSize = 0;
    names.clear();
    text.setLength(0);
    isTrailer = false;
    isOldVersion = false;
    hosts = 0;
    authorizations = 0;
    coding = "";
    codings = 0;
    length = 0;
    lengths = 0;
  }

  private Verdict next(int c, int after) {
    return switch (state) {
      case METHOD -> method(c);
      case TARGET -> target(c);
      case VERSION -> version(c);
      case VERSION_END, VALUE_END -> lineEnd(c, State.LINE_START);
      case LINE_START -> lineStart(c);
      case NAME -> name(c);
      case VALUE -> value(c);
      case HEAD_END -> headEnd(c, after);
      case CHUNK_START, CHUNK_SIZE -> chunkSize(c);
      case CHUNK_EXTENSION -> chunkExtension(c);
      case CHUNK_SIZE_END -> chunkSizeEnd(c);
      case CHUNK_CR -> c == '\r' ? to(State.CHUNK_END) : Verdict.BAD_BODY;
      case CHUNK_END -> c == '\n' ? startChunk() : Verdict.BAD_BODY;
      case BODY, CHUNK -> throw new IllegalStateException(state.name());
    };
  }

  private Verdict to(State following) {
    state = following;
    return Verdict.GOOD;
  }

  private Verdict bad() {
    return isTrailer ? Verdict.BAD_BODY : Verdict.BAD_HEAD;
  }

  static boolean isToken(int c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || TOKEN_MARKS.indexOf(c) >= 0;
  }

  private Verdict method(int c) {
    if (c == ' ' && !text.isEmpty()) {
      isHttp2 = isFirst && text.toString().equals("PRI");
      text.setLength(0);
      target.begin();
      return to(State.TARGET);
    }
    if (!isToken(c) || text.length() == KEPT) {
      return Verdict.BAD_HEAD;
    }
    text.append((char) c);
    return Verdict.GOOD;
  }

  private Verdict target(int c) {
    if (c == ' ' && !text.isEmpty()) {
      text.setLength(0);
      return target.isWhole() ? to(State.VERSION) : Verdict.BAD_TARGET;
    }
    if (c <= ' ' || c > '~') {
      return Verdict.BAD_HEAD;
    }
    if (text.isEmpty()) {
      text.append((char) c);
    }
    return target.accepts(c) ? Verdict.GOOD : Verdict.BAD_TARGET;
  }

  private Verdict version(int c) {
    if (c == '\r') {
      String version = text.toString();
      isOldVersion = version.equals("HTTP/1.0");
      if (isHttp2 && version.equals("HTTP/2.0")) {
        return Verdict.HTTP2;
      }
      return isOldVersion || version.equals("HTTP/1.1") ? to(State.VERSION_END) : Verdict.BAD_HEAD;
    }
    if (text.length() == "HTTP/1.1".length()) {
      return Verdict.BAD_HEAD;
    }
    text.append((char) c);
    return Verdict.GOOD;
  }

  private Verdict lineEnd(int c, State following) {
    return c == '\n' ? to(following) : bad();
  }

  private Verdict lineStart(int c) {
    text.setLength(0);
    if (c == '\r') {
      return to(State.HEAD_END);
    }
    state = State.NAME;
    return name(c);
  }

  private Verdict name(int c) {
    if (isTrailer && ++size > MOST_TRAILERS) {
      return Verdict.BAD_BODY;
    }
    if (c == ':' && !text.isEmpty()) {
      name = text.toString().toLowerCase(Locale.ROOT);
      text.setLength(0);
      if (!isTrailer) {
        names.add(name);
        if (names.size() > MOST_FIELDS) {
          return Verdict.LARGE_HEAD;
        }
      }
      return to(State.VALUE);
    }
    if (!isToken(c)) {
      return bad();
    }
    text.append((char) c);
    return Verdict.GOOD;
  }

  private void keep(int c) {
    if (text.length() < KEPT) {
      text.append((char) c);
    }
  }

  private Verdict value(int c) {
    if (isTrailer && ++size > MOST_TRAILERS) {
      return Verdict.BAD_BODY;
    }
    if (c == '\r') {
      state = State.VALUE_END;
      return isTrailer ? Verdict.GOOD : header(text.toString().strip());
    }
    if ((c < ' ' && c != '\t') || c == 0x7f) {
      return bad();
    }
    if ((c != ' ' && c != '\t') || !text.isEmpty()) {
      keep(c);
    }
    return Verdict.GOOD;
  }

  private Verdict header(String value) {
    switch (name) {
      case "host" -> {
        hosts++;
        if (!isHost(value)) {
          return Verdict.BAD_HEAD;
        }
      }
      case "authorization" -> authorizations++;
      case "transfer-encoding" -> {
        codings++;
        coding = value;
      }
      case "content-length" -> {
        lengths++;
        if (!isLength(value)) {
          return Verdict.BAD_HEAD;
        }
        length = Long.parseLong(value);
      }
      default -> {
        // Neither defines where the request ends nor for whom it is.
      }
    }
    return Verdict.GOOD;
  }

  /** Remembers the last host, because a connection rarely names another one. */
  private boolean isHost(String value) {
    if (!value.equals(host)) {
      if (value.length() < KEPT && !HOST.matcher(value).matches()) {
        return false;
      }
      host = value;
    }
    return true;
  }

  private static boolean isLength(String value) {
    return !value.isEmpty()
        && value.length() <= MOST_LENGTH_DIGITS
        && value.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private Verdict headEnd(int c, int after) {
    if (c != '\n') {
      return bad();
    }
    if (isTrailer) {
      begin(after);
      return Verdict.GOOD;
    }
    Verdict verdict = judge();
    if (verdict == Verdict.GOOD) {
      if (codings > 0) {
        return startChunk();
      }
      left = length;
      if (left == 0) {
        begin(after);
      } else {
        state = State.BODY;
      }
    }
    return verdict;
  }

  private Verdict judge() {
    boolean isAmbiguous =
        hosts > 1 || authorizations > 1 || lengths > 1 || codings > 1 || lengths + codings > 1;
    if (isAmbiguous || (hosts == 0 && !isOldVersion) || (codings > 0 && isOldVersion)) {
      return Verdict.BAD_HEAD;
    }
    if (names.size() > NAMES_OF_A_ROW && !isHeldByTable()) {
      return Verdict.LARGE_HEAD;
    }
    if (codings == 0 || coding.equalsIgnoreCase("chunked")) {
      return Verdict.GOOD;
    }
    return coding.isEmpty() ? Verdict.BAD_HEAD : Verdict.UNKNOWN_CODING;
  }

  /** Undertow's table throws if too many names share a row, or if one name has too many values. */
  private boolean isHeldByTable() {
    HeaderMap table = new HeaderMap();
    try {
      names.forEach(each -> table.add(new HttpString(each), ""));
      return true;
    } catch (SecurityException | IllegalStateException e) {
      return false;
    }
  }

  private Verdict startChunk() {
    left = 0;
    size = 0;
    return to(State.CHUNK_START);
  }

  private Verdict chunkSize(int c) {
    int digit = Character.digit(c, 16);
    if (digit >= 0 && c < 0x80) {
      left = left << 4 | digit;
      state = State.CHUNK_SIZE;
      return ++size > MOST_CHUNK_DIGITS ? Verdict.BAD_BODY : Verdict.GOOD;
    }
    if (state == State.CHUNK_START) {
      return Verdict.BAD_BODY;
    }
    size = 0;
    return c == '\r'
        ? to(State.CHUNK_SIZE_END)
        : c == ';' ? to(State.CHUNK_EXTENSION) : Verdict.BAD_BODY;
  }

  private Verdict chunkExtension(int c) {
    if (c == '\r') {
      return to(State.CHUNK_SIZE_END);
    }
    return (c < ' ' && c != '\t') || c == 0x7f || ++size > MOST_EXTENSION
        ? Verdict.BAD_BODY
        : Verdict.GOOD;
  }

  private Verdict chunkSizeEnd(int c) {
    if (c != '\n') {
      return Verdict.BAD_BODY;
    }
    if (left > 0) {
      return to(State.CHUNK);
    }
    isTrailer = true;
    size = 0;
    return to(State.LINE_START);
  }
}
