package org.svcmailbox.bench.load;

import java.util.List;
import java.util.stream.Collectors;

/** A Lua file that returns a table, as input of a {@code wrk} script; each character is a byte. */
final class LuaTable {
  private final StringBuilder text = new StringBuilder("return {\n");

  LuaTable with(String name, int value) {
    text.append(name).append(" = ").append(value).append(",\n");
    return this;
  }

  LuaTable with(String name, double value) {
    text.append(name).append(" = ").append(value).append(",\n");
    return this;
  }

  LuaTable with(String name, String value) {
    text.append(name).append(" = ").append(quoted(value)).append(",\n");
    return this;
  }

  LuaTable with(String name, List<String> values) {
    String all = values.stream().map(LuaTable::quoted).collect(Collectors.joining(", "));
    text.append(name).append(" = { ").append(all).append(" },\n");
    return this;
  }

  @Override
  public String toString() {
    return text + "}\n";
  }

  private static String quoted(String value) {
    StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        quoted.append('\\').append("%03d".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
