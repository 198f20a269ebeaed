package org.svcmailbox.core.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final String PARENT = "00-" + TRACE + "-" + SPAN + "-01";

  @Test
  void aWellFormedParentIsKeptToTheLetter() {
    assertEquals(new TraceContext(PARENT, null), TraceContext.of(PARENT, null));
    String unsampled = "00-" + TRACE + "-" + SPAN + "-00";
    assertEquals(new TraceContext(unsampled, null), TraceContext.of(unsampled, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-" + TRACE + "-" + SPAN,
        "00-" + TRACE + "-" + SPAN + "-1",
        "00-" + TRACE + "-" + SPAN + "-0x",
        "00-" + TRACE + "-" + SPAN + "-01-",
        "00-" + TRACE + "-" + SPAN + "-01-later",
        "00_" + TRACE + "-" + SPAN + "-01",
        " 00-" + TRACE + "-" + SPAN + "-01",
        "0x-" + TRACE + "-" + SPAN + "-01",
        "ff-" + TRACE + "-" + SPAN + "-01",
        "01-" + TRACE + "-" + SPAN + "-01x",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + SPAN + "-01",
        "00-" + TRACE + "-00F067AA0BA902B7-01",
        "00-00000000000000000000000000000000-" + SPAN + "-01",
        "00-" + TRACE + "-0000000000000000-01",
        PARENT + "," + PARENT
      })
  void aMalformedParentIsIgnoredTogetherWithTheState(String parent) {
    assertNull(TraceContext.of(parent, "a=b"));
  }

  @Test
  void withoutAParentAStateMeansNothing() {
    assertNull(TraceContext.of(null, "a=b"));
  }

  @Test
  void ofALaterVersionOnlyWhatIsKnownIsKept() {
    TraceContext sampled = TraceContext.of("cc-" + TRACE + "-" + SPAN + "-ff-what-comes", null);
    assertEquals(new TraceContext(PARENT, null), sampled);
    TraceContext unsampled = TraceContext.of("01-" + TRACE + "-" + SPAN + "-02", null);
    assertEquals(new TraceContext("00-" + TRACE + "-" + SPAN + "-00", null), unsampled);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rojo=00f067aa0ba902b7",
        "rojo=1,congo=t61rcWkgMzE",
        " rojo=1 ,\t congo=2,,",
        "tenant@vendor=a b!~",
        "0tenant@v=1",
        "a-_*/=/"
      })
  void aWellFormedStateIsKeptToTheLetter(String state) {
    assertEquals(state, state(state));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", ",", "a", "a=", "A=1", "=1", "a=1=2", "a=\u00e4", "a=\u0001", "a=1;\n"})
  void aMalformedStateIsDroppedForItself(String state) {
    assertNull(state(state));
  }

  @Test
  void aStateHasItsBounds() {
    String most = members(TraceContext.MAX_MEMBERS);
    assertEquals(most, state(most));
    assertNull(state(members(TraceContext.MAX_MEMBERS + 1)));
    String longest = "a=" + "x".repeat(255) + ",b=" + "x".repeat(252);
    assertEquals(TraceContext.MAX_STATE, longest.length());
    assertEquals(longest, state(longest));
    assertNull(state(longest + ","));
  }

  private static @Nullable String state(String given) {
    return Objects.requireNonNull(TraceContext.of(PARENT, given)).state();
  }

  private static String members(int count) {
    return IntStream.range(0, count).mapToObj(i -> "k" + i + "=1").collect(Collectors.joining(","));
  }
}
