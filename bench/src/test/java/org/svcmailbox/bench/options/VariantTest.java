package org.svcmailbox.bench.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariantTest {
  @Test
  void aVariantIsANameAndItsEnvironment() {
    assertEquals(
        new Variant("c1", Map.of("MAILBOX_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -Da=b", "B", "")),
        Variant.parse("c1:MAILBOX_JAVA_OPTS=-XX:TieredStopAtLevel=1 -Da=b;B="));
  }

  @Test
  void aMalformedVariantIsRefused() {
    for (String bad : List.of("c1", "c1:", ":A=1", "c1:A", "c1:A=1;", "a b:A=1")) {
      var refused = assertThrows(IllegalArgumentException.class, () -> Variant.parse(bad));
      assertTrue(String.valueOf(refused.getMessage()).startsWith("--variant "));
    }
  }

  @Test
  void aNameThatIsTakenIsRefused() {
    for (String[] bad :
        new String[][] {
          {"--variant", "stock:A=1"},
          {"--variant", "mailbox:A=1"},
          {"--variant", "a:A=1", "--variant", "a:A=2"}
        }) {
      assertThrows(IllegalArgumentException.class, () -> Options.parse(bad));
    }
  }

  @Test
  void variantsComeAfterTheServerItself() {
    Options options =
        Options.parse("--variant", "a:A=1", "--scenario", "start", "--variant", "b:B=2");
    assertEquals(
        List.of("mailbox", "a", "b"), options.servers().stream().map(Variant::name).toList());
    assertEquals(5, options.rounds());
  }
}
