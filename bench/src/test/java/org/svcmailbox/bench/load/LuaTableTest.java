package org.svcmailbox.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class LuaTableTest {
  @Test
  void everyByteReachesTheScript() {
    assertEquals(
        "return {\nbatch = 3,\nhead = \"a\\034\\092\\013\\010\\255\",\nparts = { \"x\", \"\" },\n}\n",
        new LuaTable()
            .with("batch", 3)
            .with("head", "a\"\\\r\n\u00ff")
            .with("parts", List.of("x", ""))
            .toString());
  }
}
