package org.svcmailbox.web.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypesTest {
  private static boolean accept(String... headers) {
    return MediaTypes.acceptJson(Collections.enumeration(List.of(headers)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/*",
        "application/json",
        "text/html, application/json;q=0.9",
        "text/html,*/*;q=0.1",
        "application/*",
        "APPLICATION/JSON",
        "application/problem+json",
        ";;, application/json"
      })
  void acceptHeadersThatAllowJson(String header) {
    assertTrue(accept(header));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/xml", "", ";;", ",", "json", "application/jsonx", "text/*"})
  void jsonIsNot(String header) {
    assertFalse(accept(header));
  }

  @ParameterizedTest
  @CsvSource({
    "'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',true",
    "text/plain,true",
    "TEXT/*;q=0.1,true",
    "*/*,true",
    "application/openmetrics-text,false",
    "application/json,false",
    "text/html,false"
  })
  void acceptHeadersThatAllowText(String header, boolean isText) {
    assertEquals(isText, MediaTypes.acceptText(Collections.enumeration(List.of(header))));
  }

  @Test
  void severalHeadersCountTogetherAndNoneAcceptsAnything() {
    assertTrue(accept());
    assertTrue(accept("text/xml", "application/json"));
    assertFalse(accept("text/xml", "text/html"));
  }

  @ParameterizedTest
  @CsvSource({
    "application/json,application/json",
    "application/json; charset=utf-8,application/json",
    "' Application/JSON;',application/json",
    "application/octet-stream,application/octet-stream",
    "Application/Octet-Stream;x=y,application/octet-stream",
    "application/octet-streams,application/x-other",
    "text/plain,application/x-other",
    ";;,application/x-other",
    "'',application/x-other",
    ",application/x-other",
    "application/json-patch,application/x-other"
  })
  void aContentTypeIsOneOfThree(@Nullable String contentType, String known) {
    assertEquals(known, MediaTypes.known(contentType));
  }

  @ParameterizedTest
  @CsvSource({
    "application/x-ndjson,true",
    "application/json,true",
    "application/*;q=0.1,true",
    "application/octet-stream,false",
    "text/plain,false"
  })
  void acceptHeadersThatAllowLines(String header, boolean isLines) {
    assertEquals(isLines, MediaTypes.acceptLines(Collections.enumeration(List.of(header))));
  }

  @ParameterizedTest
  @CsvSource({
    "application/octet-stream,true",
    "application/json,true",
    "*/*,true",
    "text/plain,false"
  })
  void acceptHeadersThatAllowOctets(String header, boolean isOctets) {
    assertEquals(isOctets, MediaTypes.acceptOctets(Collections.enumeration(List.of(header))));
  }
}
