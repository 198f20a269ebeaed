package org.svcmailbox.web.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
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
  void jsonIsAmongWhatIsAccepted(String header) {
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
  void textIsAmongWhatIsAcceptedOrNot(String header, boolean isText) {
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
    "application/json,true",
    "application/json; charset=utf-8,true",
    "' Application/JSON;',true",
    "text/plain,false",
    ";;,false",
    "'',false",
    "application/json-patch,false"
  })
  void aContentTypeIsJsonOrNot(String contentType, boolean isJson) {
    assertEquals(isJson, MediaTypes.isJson(contentType));
    assertFalse(MediaTypes.isJson(null));
  }
}
