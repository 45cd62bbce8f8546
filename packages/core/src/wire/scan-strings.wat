;; Finds the end of a JSON string (RFC 8259, section 7) 16 bytes at a time. The memory is imported, and must have at least 16
;; bytes after `end`. From `at`, which is inside of the string, it returns the index after the closing quote; -1 for a control
;; character or an escape that is not valid; or -2 - i if the string has not ended before `end`, where the scan goes on at i.
(module
  (memory (import "scan" "memory") 1)
  (func (export "skipString") (param $at i32) (param $end i32) (result i32)
    (local $chunk v128)
    (local $found i32)
    (local $byte i32)
    (local $digits i32)
    (loop $next
      (if (i32.ge_u (local.get $at) (local.get $end))
        (then (return (i32.sub (i32.const -2) (local.get $at)))))
      (local.set $chunk (v128.load (local.get $at)))
      ;; One bit for each byte that is a control character, a quote or a backslash.
      (local.set $found
        (i8x16.bitmask
          (v128.or
            (i8x16.lt_u (local.get $chunk) (i8x16.splat (i32.const 0x20)))
            (v128.or
              (i8x16.eq (local.get $chunk) (i8x16.splat (i32.const 0x22)))
              (i8x16.eq (local.get $chunk) (i8x16.splat (i32.const 0x5c)))))))
      (if (i32.eqz (local.get $found))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br $next)))
      (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $found))))
      (if (i32.ge_u (local.get $at) (local.get $end))
        (then (return (i32.sub (i32.const -2) (local.get $at)))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.eq (local.get $byte) (i32.const 0x22))
        (then (return (i32.add (local.get $at) (i32.const 1)))))
      (if (i32.lt_u (local.get $byte) (i32.const 0x20)) (then (return (i32.const -1))))
      ;; A backslash: n, a quote, a backslash, t, r, /, b and f are valid after it, and u with four digits.
      (local.set $byte (i32.load8_u offset=1 (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 2)))
      (br_if $next (i32.eq (local.get $byte) (i32.const 0x6e)))
      (br_if $next (i32.eq (local.get $byte) (i32.const 0x22)))
      (br_if $next (i32.eq (local.get $byte) (i32.const 0x5c)))
      (br_if $next (i32.eq (local.get $byte) (i32.const 0x74)))
      (br_if $next (i32.eq (local.get $byte) (i32.const 0x72)))
      (br_if $next (i32.eq (local.get $byte) (i32.const 0x2f)))
      (br_if $next (i32.eq (local.get $byte) (i32.const 0x62)))
      (br_if $next (i32.eq (local.get $byte) (i32.const 0x66)))
      (if (i32.ne (local.get $byte) (i32.const 0x75)) (then (return (i32.const -1))))
      (local.set $digits (i32.const 4))
      (loop $digit
        (local.set $byte (i32.load8_u (local.get $at)))
        (if
          (i32.and
            (i32.gt_u (i32.sub (local.get $byte) (i32.const 0x30)) (i32.const 9))
            (i32.gt_u (i32.sub (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x61)) (i32.const 5)))
          (then (return (i32.const -1))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $digit (local.tee $digits (i32.sub (local.get $digits) (i32.const 1)))))
      (br $next))
    (unreachable)))
