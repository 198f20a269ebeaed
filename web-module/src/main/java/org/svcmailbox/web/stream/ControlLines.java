package org.svcmailbox.web.stream;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.stream.Pause;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.web.json.Json;
import org.svcmailbox.web.problem.ProblemBody;

/** The lines of a stream that carry no message. */
final class ControlLines {
  private ControlLines() {}

  static Line open(String stream, int window) {
    Map<String, Object> members = members("open");
    members.put("stream", stream);
    members.put("window", window);
    return line(members);
  }

  static Line heartbeat(int unsettled, @Nullable Pause paused) {
    Map<String, Object> members = members("heartbeat");
    members.put("unsettled", unsettled);
    if (paused != null) {
      members.put("paused", paused.text());
    }
    return line(members);
  }

  static Line end(StreamEnd end, @Nullable ProblemBody problem) {
    Map<String, Object> members = members("end");
    members.put("reason", end.text());
    if (problem != null) {
      members.put("problem", problem.members());
    }
    return line(members);
  }

  private static Map<String, Object> members(String type) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", type);
    return members;
  }

  private static Line line(Map<String, Object> members) {
    String json = new String(Json.bytes(members), StandardCharsets.UTF_8);
    return new PlainLine((json + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
