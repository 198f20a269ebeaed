package org.svcmailbox.bench.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.bench.http.LoadPayload;
import org.svcmailbox.bench.rendezvous.Dialogue.Heard;

class DialogueTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  /** An answer is incomplete without its last character. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        OK + "Content-Length: 3\r\n\r\nabc",
        OK + "content-length:3\r\nX: y\r\n\r\nabc",
        OK + "Content-Length: 0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n",
        OK + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
      })
  void anAnswerEndsWithItsLastCharacter(String answer) {
    for (int length = 0; length < answer.length(); length++) {
      assertEquals(0, HttpDialogue.endOfAnswer(answer.substring(0, length)));
    }
    assertEquals(answer.length(), HttpDialogue.endOfAnswer(answer));
  }

  @Test
  void textAfterAnAnswerIsNotPartOfIt() {
    String answer = OK + "Content-Length: 3\r\n\r\nabc";
    assertEquals(answer.length(), HttpDialogue.endOfAnswer(answer + OK));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 125, 126, 127, 300, 65_535})
  void aFrameEndsWithItsLastCharacter(int length) {
    String head =
        length < 126
            ? "\u0081" + (char) length
            : "\u0081~" + (char) (length >> 8) + (char) (length & 0xff);
    String frame = head + "x".repeat(length);
    for (int end = 0; end < Math.min(8, frame.length()); end++) {
      assertEquals(0, WormholeDialogue.endOfFrame(frame.substring(0, end)));
    }
    assertEquals(0, WormholeDialogue.endOfFrame(frame.substring(0, frame.length() - 1)));
    assertEquals(frame.length(), WormholeDialogue.endOfFrame(frame));
    assertEquals(frame.length(), WormholeDialogue.endOfFrame(frame + "more"));
  }

  @Test
  void aFrameOfTheClientIsMasked() {
    assertEquals("\u0081\u0082\0\0\0\0ab", WormholeDialogue.frame("ab"));
    assertTrue(
        WormholeDialogue.frame("x".repeat(0x123)).startsWith("\u0081\u00fe\u0001#\0\0\0\0x"));
  }

  private static HttpDialogue postAndGet() {
    return HttpDialogue.repeating(List.of(HttpCall.post("/m", "", "x"), HttpCall.get("/m")));
  }

  private static String answer(int status, int length) {
    return "HTTP/1.1 "
        + status
        + " X\r\nContent-Length: "
        + length
        + "\r\n\r\n"
        + "x".repeat(length);
  }

  @Test
  void aMessageCountsOnceItIsReceived() throws IOException {
    HttpDialogue dialogue = postAndGet();
    for (int round = 0; round < 2; round++) {
      assertTrue(dialogue.say().startsWith("POST "));
      assertEquals(Heard.NEXT, dialogue.hear(answer(202, 0)));
      assertTrue(dialogue.say().startsWith("GET "));
      assertEquals(Heard.MESSAGE, dialogue.hear(answer(200, LoadPayload.BYTES)));
    }
  }

  @Test
  void anUnexpectedAnswerFailsTheTurn() throws IOException {
    HttpDialogue dialogue = postAndGet();
    dialogue.say();
    assertThrows(IOException.class, () -> dialogue.hear(answer(429, 0)));
    dialogue.hear(answer(202, 0));
    dialogue.say();
    assertThrows(IOException.class, () -> dialogue.hear(answer(204, 0)));
    assertThrows(IOException.class, () -> dialogue.hear(answer(200, 10)));
  }

  @Test
  void aWormholeWaitsForItsOwnMessage() throws IOException {
    WormholeDialogue dialogue = new WormholeDialogue("m");
    assertTrue(dialogue.say().startsWith("GET "));
    assertEquals(Heard.NEXT, dialogue.hear("HTTP/1.1 101 Switching Protocols\r\n\r\n"));
    dialogue.say();
    assertEquals(Heard.WAIT, dialogue.hear("xx{\"type\": \"welcome\"}"));
    assertEquals(Heard.WAIT, dialogue.hear("xx{\"type\": \"ack\"}"));
    assertEquals(Heard.MESSAGE, dialogue.hear("xx{\"type\": \"message\"}"));
    assertThrows(IOException.class, () -> dialogue.hear("xx{\"type\": \"error\"}"));
  }
}
