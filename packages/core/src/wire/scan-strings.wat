;; Finds the quotes of the strings in a JSON text (RFC 8259, section 7), 64 bytes at a time and without a branch for each
;; byte, as in Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (2019), section 3.1. The memory is imported, and must
;; have 64 more bytes after `end`. From `at` on, which is inside of a string if `isInside` is 1, it writes to `list` the index of each
;; opening and closing quote, as 32-bit integers. In place of the closing quote of a string with a control character or an escape
;; that is not valid, it writes -1, and ends. It also ends at `end`, and once the list reaches `listLimit`, which it then exceeds
;; by at most 128 numbers. Returns the length of the list. After it follows where the scan goes on: at the latest one byte before
;; `end`, if a backslash is there.
(module
  (memory (import "scan" "memory") 1)

  (func $isHexDigit (param $byte i32) (result i32)
    (i32.or
      (i32.le_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 9))
      (i32.le_u (i32.sub (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x61)) (i32.const 5))))

  ;; Of the bits of the letter u of escapes, returns those that four hexadecimal digits do not follow.
  (func $badUnits (param $at i32) (param $units i64) (result i64)
    (local $bad i64)
    (local $unit i32)
    (loop $next
      (if (i64.eqz (local.get $units)) (then (return (local.get $bad))))
      (local.set $unit (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $units)))))
      (if
        (i32.eqz
          (i32.and
            (i32.and
              (call $isHexDigit (i32.load8_u offset=1 (local.get $unit)))
              (call $isHexDigit (i32.load8_u offset=2 (local.get $unit))))
            (i32.and
              (call $isHexDigit (i32.load8_u offset=3 (local.get $unit)))
              (call $isHexDigit (i32.load8_u offset=4 (local.get $unit))))))
        (then
          (local.set $bad
            (i64.or (local.get $bad) (i64.shl (i64.const 1) (i64.ctz (local.get $units)))))))
      (local.set $units (i64.and (local.get $units) (i64.sub (local.get $units) (i64.const 1))))
      (br $next))
    (unreachable))

  (func (export "scanStrings")
    (param $at i32) (param $end i32) (param $isInside i32) (param $list i32) (param $listLimit i32) (result i32)
    ;; Constants, and zero.
    (local $backslash v128)
    (local $quote v128)
    (local $space v128)
    (local $letterU v128)
    (local $lowHalf v128)
    (local $lowBits v128)
    (local $highBits v128)
    (local $none v128)
    ;; The 64 bytes of a block. Each i64 after them has one bit for each byte.
    (local $a v128)
    (local $b v128)
    (local $c v128)
    (local $d v128)
    (local $start i32)
    (local $length i32)
    (local $valid i64)
    (local $backslashes i64)
    (local $follows i64)
    (local $escaped i64)
    (local $quotes i64)
    (local $inside i64)
    (local $bad i64)
    (local $units i64)
    ;; One bit if the first byte of the block is escaped.
    (local $carry i64)
    ;; All bits if the block starts inside of a string.
    (local $wasInside i64)
    (local.set $backslash (i8x16.splat (i32.const 0x5c)))
    (local.set $quote (i8x16.splat (i32.const 0x22)))
    (local.set $space (i8x16.splat (i32.const 0x20)))
    (local.set $letterU (i8x16.splat (i32.const 0x75)))
    ;; The two halves of a byte each select some bits, which have one in common only for " / \ b f n r t u.
    (local.set $lowHalf (i8x16.splat (i32.const 0x0f)))
    (local.set $lowBits (v128.const i8x16 0 0 13 0 8 8 4 0 0 0 0 0 2 0 4 1))
    (local.set $highBits (v128.const i8x16 0 0 1 0 0 2 4 8 0 0 0 0 0 0 0 0))
    (local.set $start (local.get $list))
    (local.set $wasInside (i64.sub (i64.const 0) (i64.extend_i32_u (local.get $isInside))))
    (block $done
      (loop $block
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $length (i32.sub (local.get $end) (local.get $at)))
        (local.set $valid (i64.const -1))
        (if (i32.lt_u (local.get $length) (i32.const 64))
          (then
            (local.set $valid
              (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $length))) (i64.const 1))))
          (else
            (br_if $done (i32.ge_u (local.get $list) (local.get $listLimit)))
            (local.set $length (i32.const 64))))
        (local.set $a (v128.load (local.get $at)))
        (local.set $b (v128.load offset=16 (local.get $at)))
        (local.set $c (v128.load offset=32 (local.get $at)))
        (local.set $d (v128.load offset=48 (local.get $at)))

        ;; An escaped byte follows an odd number of backslashes.
        (local.set $backslashes
          (i64.and
            (i64.or
              (i64.extend_i32_u
                (i32.or
                  (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $backslash)))
                  (i32.shl (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $backslash))) (i32.const 16))))
              (i64.shl
                (i64.extend_i32_u
                  (i32.or
                    (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $backslash)))
                    (i32.shl (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $backslash))) (i32.const 16))))
                (i64.const 32)))
            (i64.xor (local.get $carry) (i64.const -1))))
        (local.set $follows
          (i64.or (i64.shl (local.get $backslashes) (i64.const 1)) (local.get $carry)))
        (local.set $escaped
          (i64.and
            (local.get $follows)
            (i64.xor
              (i64.const 0x5555555555555555)
              (i64.shl
                (i64.add
                  (local.get $backslashes)
                  (i64.and
                    (i64.and (local.get $backslashes) (i64.const 0xaaaaaaaaaaaaaaaa))
                    (i64.xor (local.get $follows) (i64.const -1))))
                (i64.const 1)))))
        (local.set $carry
          (i64.and
            (i64.const 1)
            (i64.shr_u
              (i64.and (local.get $backslashes) (i64.xor (local.get $escaped) (i64.const -1)))
              (i64.extend_i32_u (i32.sub (local.get $length) (i32.const 1))))))

        ;; Each quote changes whether the bytes from it on are inside of a string.
        (local.set $quotes
          (i64.and
            (i64.and
              (i64.or
                (i64.extend_i32_u
                  (i32.or
                    (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $quote)))
                    (i32.shl (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $quote))) (i32.const 16))))
                (i64.shl
                  (i64.extend_i32_u
                    (i32.or
                      (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $quote)))
                      (i32.shl (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $quote))) (i32.const 16))))
                  (i64.const 32)))
              (local.get $valid))
            (i64.xor (local.get $escaped) (i64.const -1))))
        (local.set $inside (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 1))))
        (local.set $inside (i64.xor (local.get $inside) (i64.shl (local.get $inside) (i64.const 2))))
        (local.set $inside (i64.xor (local.get $inside) (i64.shl (local.get $inside) (i64.const 4))))
        (local.set $inside (i64.xor (local.get $inside) (i64.shl (local.get $inside) (i64.const 8))))
        (local.set $inside (i64.xor (local.get $inside) (i64.shl (local.get $inside) (i64.const 16))))
        (local.set $inside (i64.xor (local.get $inside) (i64.shl (local.get $inside) (i64.const 32))))
        (local.set $inside (i64.xor (local.get $inside) (local.get $wasInside)))
        (local.set $wasInside (i64.shr_s (local.get $inside) (i64.const 63)))
        (local.set $inside (i64.and (local.get $inside) (local.get $valid)))

        ;; Control characters, and bytes that are not valid after a backslash.
        (local.set $bad
          (i64.and
            (local.get $inside)
            (i64.or
              (i64.extend_i32_u
                (i32.or
                  (i8x16.bitmask (i8x16.lt_u (local.get $a) (local.get $space)))
                  (i32.shl (i8x16.bitmask (i8x16.lt_u (local.get $b) (local.get $space))) (i32.const 16))))
              (i64.shl
                (i64.extend_i32_u
                  (i32.or
                    (i8x16.bitmask (i8x16.lt_u (local.get $c) (local.get $space)))
                    (i32.shl (i8x16.bitmask (i8x16.lt_u (local.get $d) (local.get $space))) (i32.const 16))))
                (i64.const 32)))))
        (local.set $escaped (i64.and (local.get $escaped) (local.get $inside)))
        (if (i64.ne (local.get $escaped) (i64.const 0))
          (then
            (local.set $units
              (i64.and
                (local.get $escaped)
                (i64.or
                  (i64.extend_i32_u
                    (i32.or
                      (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $letterU)))
                      (i32.shl (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $letterU))) (i32.const 16))))
                  (i64.shl
                    (i64.extend_i32_u
                      (i32.or
                        (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $letterU)))
                        (i32.shl (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $letterU))) (i32.const 16))))
                    (i64.const 32)))))
            (local.set $a
              (v128.and
                (i8x16.swizzle (local.get $lowBits) (v128.and (local.get $a) (local.get $lowHalf)))
                (i8x16.swizzle (local.get $highBits) (i8x16.shr_u (local.get $a) (i32.const 4)))))
            (local.set $b
              (v128.and
                (i8x16.swizzle (local.get $lowBits) (v128.and (local.get $b) (local.get $lowHalf)))
                (i8x16.swizzle (local.get $highBits) (i8x16.shr_u (local.get $b) (i32.const 4)))))
            (local.set $c
              (v128.and
                (i8x16.swizzle (local.get $lowBits) (v128.and (local.get $c) (local.get $lowHalf)))
                (i8x16.swizzle (local.get $highBits) (i8x16.shr_u (local.get $c) (i32.const 4)))))
            (local.set $d
              (v128.and
                (i8x16.swizzle (local.get $lowBits) (v128.and (local.get $d) (local.get $lowHalf)))
                (i8x16.swizzle (local.get $highBits) (i8x16.shr_u (local.get $d) (i32.const 4)))))
            (local.set $bad
              (i64.or
                (i64.or (local.get $bad) (call $badUnits (local.get $at) (local.get $units)))
                (i64.and
                  (local.get $escaped)
                  (i64.or
                    (i64.extend_i32_u
                      (i32.or
                        (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $none)))
                        (i32.shl (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $none))) (i32.const 16))))
                    (i64.shl
                      (i64.extend_i32_u
                        (i32.or
                          (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $none)))
                          (i32.shl (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $none))) (i32.const 16))))
                      (i64.const 32))))))))

        ;; Of the quotes, those before the first bad byte.
        (if (i64.ne (local.get $bad) (i64.const 0))
          (then
            (local.set $quotes
              (i64.and
                (local.get $quotes)
                (i64.sub
                  (i64.and (local.get $bad) (i64.sub (i64.const 0) (local.get $bad)))
                  (i64.const 1))))))
        (block $listed
          (loop $next
            (br_if $listed (i64.eqz (local.get $quotes)))
            (i32.store
              (local.get $list)
              (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $quotes)))))
            (local.set $list (i32.add (local.get $list) (i32.const 4)))
            (local.set $quotes (i64.and (local.get $quotes) (i64.sub (local.get $quotes) (i64.const 1))))
            (br $next)))
        (if (i64.ne (local.get $bad) (i64.const 0))
          (then
            (i32.store (local.get $list) (i32.const -1))
            (local.set $list (i32.add (local.get $list) (i32.const 4)))
            (br $done)))
        (local.set $at (i32.add (local.get $at) (local.get $length)))
        (br $block)))
    (i32.store (local.get $list) (i32.sub (local.get $at) (i32.wrap_i64 (local.get $carry))))
    (i32.shr_u (i32.sub (local.get $list) (local.get $start)) (i32.const 2))))
