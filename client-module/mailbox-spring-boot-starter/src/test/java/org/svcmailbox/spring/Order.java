package org.svcmailbox.spring;

record Order(String item, int count) {}
