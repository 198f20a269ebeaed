package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.problem.SchemaException;

class CapabilityNoteTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "orders worker of shop 7",
        "<b onclick=alert(1)>\"'&",
        "caf\u00e9 \u20ac \u5e97 \ud83d\ude80",
        "the console:ann",
        "consoles:ann",
        "service",
        "no\u00a0break"
      })
  void aNoteIsVisibleText(String note) {
    assertEquals(note, CapabilityNote.checked(note));
    assertEquals(note, CapabilityNote.checked(" " + note + "\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " \t ",
        "two\nlines",
        "nul\0",
        "escape\u001b[31m",
        "right\u202eto left",
        "zero\u200bwidth",
        "\ufeffmark",
        "soft\u00adhyphen",
        "line\u2028separator",
        "paragraph\u2029separator",
        "half\ud83d",
        "unassigned\uffff",
        "console:ann",
        "Console:",
        " CONSOLE:x",
        "\u00a0console:ann",
        " \u202f\u2007Console:ann"
      })
  void allElseIsRefusedByField(String note) {
    SchemaException refused =
        assertThrows(SchemaException.class, () -> CapabilityNote.checked(note));
    assertEquals("note", refused.violations().get(0).field());
  }

  @Test
  void itHasAtMost255Characters() {
    String longest = "x".repeat(255);
    assertEquals(longest, CapabilityNote.checked(longest + " "));
    assertThrows(SchemaException.class, () -> CapabilityNote.checked(longest + "x"));
  }
}
